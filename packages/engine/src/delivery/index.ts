export { createDelivery, type Delivery, type DeliveryFile } from "./delivery.ts";
export type { DeliveredBytes } from "./hot-objects.ts";
