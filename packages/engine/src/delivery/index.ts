export type { ByteReader, DeliveredBytes } from "./delivered-bytes.ts";
export { isDelivered } from "./delivered-paths.ts";
export { createDelivery, type Delivery, type DeliveryFile } from "./delivery.ts";
