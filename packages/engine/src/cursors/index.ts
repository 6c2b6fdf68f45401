export { createCursors, type Listing, type Position } from "./cursors.ts";
export { createPages, type PageRequest, type Pages } from "./pages.ts";
