import { createRoute } from "@tanstack/react-router";
import { OperatorFrame } from "../frame/operator-frame.tsx";
import { rootRoute } from "./root.tsx";

/** The views of the installation, for admins: `/console/operator/...`. */
export const operatorRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: "/operator",
	component: OperatorFrame,
});
