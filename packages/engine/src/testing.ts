export { createFakeClock, type FakeClock } from "./testing/fake-clock.ts";
export { playlistOf } from "./testing/playlist-of.ts";
export { createRecordingLogger, type LogEntry, type RecordingLogger } from "./testing/recording-logger.ts";
