export { createMetrics, type EngineMetrics, type Metrics, type ProcessCounts, type WorkerDoing } from "./metrics.ts";
