// Imports as a file of this folder does.
export default specifier => import(specifier);
