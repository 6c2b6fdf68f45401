import "@reelmill/elements";
import { createApp } from "vue";
import Videos from "./video-list.vue";

createApp(Videos).mount("#root");
