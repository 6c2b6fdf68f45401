export { openSendFile, type SendFile } from "./open-send-file.ts";
