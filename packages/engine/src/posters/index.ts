export { createPosters, type PosterInput, type Posters } from "./posters.ts";
export { readPicture } from "./read-picture.ts";
