import "@reelmill/elements";
import { createApp } from "vue";
import Videos from "./video-list.vue";
import "./page.css";

createApp(Videos).mount("#root");
