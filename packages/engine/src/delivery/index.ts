export { createDelivery, type Delivery, type DeliveryFile } from "./delivery.ts";
