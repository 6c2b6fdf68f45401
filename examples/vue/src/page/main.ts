import "@reelmill/elements";
import { createApp } from "vue";
import Videos from "./video-list.vue";
import "../../../plain-html/page/page.css";

createApp(Videos).mount("#root");
