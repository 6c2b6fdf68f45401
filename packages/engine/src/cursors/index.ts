export { createCursors, type Listing, operatorScope, type Position } from "./cursors.ts";
export { createPages, type PageRequest, type Pages } from "./pages.ts";
