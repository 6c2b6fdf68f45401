export * from "../upload-routes/next.ts";
export * from "../webhooks/next.ts";
