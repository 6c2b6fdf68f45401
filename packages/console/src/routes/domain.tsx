import { createRoute } from "@tanstack/react-router";
import { DomainFrame } from "../frame/domain-frame.tsx";
import { rootRoute } from "./root.tsx";

/** The views of one domain: `/console/d/acme/...`. */
export const domainRoute = createRoute({
	getParentRoute: () => rootRoute,
	path: "/d/$domain",
	component: DomainFrame,
});
