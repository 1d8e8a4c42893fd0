import "../cjs/requires-importer.cjs";
