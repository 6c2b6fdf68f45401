export { type Clips, createClips } from "./clips.ts";
