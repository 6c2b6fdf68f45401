export { createFakeClock, type FakeClock } from "./testing/fake-clock.ts";
export { createRecordingLogger, type LogEntry, type RecordingLogger } from "./testing/recording-logger.ts";
