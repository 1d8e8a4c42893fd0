module.exports = [module.parent.id, module.loaded, module.children.length, module.id === __filename];
