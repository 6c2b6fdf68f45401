import "@reelmill/elements";
import { createApp } from "vue";
import Videos from "./videos.vue";

createApp(Videos).mount("#root");
