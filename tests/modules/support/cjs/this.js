this.z = this === exports && this === module.exports;
