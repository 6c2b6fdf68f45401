export * from "../upload-routes/fastify.ts";
export * from "../webhooks/fastify.ts";
