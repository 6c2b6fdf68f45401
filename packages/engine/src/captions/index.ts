export { type CaptionsNoun, createCaptions, type PutCaptions } from "./captions.ts";
