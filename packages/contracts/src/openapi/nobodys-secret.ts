/** The webhook secret of all examples. It is nobody's, and says so: in base64 it reads "nobodys secret". */
export const nobodysWebhookSecret = "whsec_bm9ib2R5cyBzZWNyZXQ";
