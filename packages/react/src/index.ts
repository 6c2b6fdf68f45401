"use client";

export { ReelmillPlayer, type ReelmillPlayerProps } from "./player.ts";
export { ReelmillUploader, type ReelmillUploaderProps } from "./uploader.ts";
export { type UsedPlayer, type UsePlayerOptions, usePlayer } from "./use-player.ts";
export { useStore } from "./use-store.ts";
export { type UsedUploader, useUploader } from "./use-uploader.ts";
