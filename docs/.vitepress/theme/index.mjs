import DefaultTheme from "vitepress/theme";
import { defineAsyncComponent } from "vue";
import Layout from "./layout.vue";
import "./style.css";

export default {
	extends: DefaultTheme,
	Layout,
	/** @param {{ app: import("vue").App }} context */
	enhanceApp({ app }) {
		app.component(
			"CostCalculator",
			defineAsyncComponent(() => import("./cost-calculator.vue")),
		);
	},
};
