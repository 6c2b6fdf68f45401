export { createMetrics, type EngineMetrics, type Metrics, type ProcessCounts } from "./metrics.ts";
