import DefaultTheme from "vitepress/theme-without-fonts";
import { defineAsyncComponent } from "vue";
import { rememberCodeGroups } from "./code-groups.mjs";
import HomeFigures from "./home-figures.vue";
import HomeHero from "./home-hero.vue";
import HomePage from "./home-page.vue";
import Layout from "./layout.vue";
import "./tokens.css";
import "./colours.css";
import "./style.css";

export default {
	extends: DefaultTheme,
	Layout,
	setup: rememberCodeGroups,
	/** @param {{ app: import("vue").App }} context */
	enhanceApp({ app }) {
		app.component("HomePage", HomePage);
		app.component("HomeHero", HomeHero);
		app.component("HomeFigures", HomeFigures);
		app.component(
			"CostCalculator",
			defineAsyncComponent(() => import("./cost-calculator.vue")),
		);
	},
};
