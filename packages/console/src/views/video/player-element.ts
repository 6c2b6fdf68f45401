export { ReelmillPlayer } from "@reelmill/react";
