import { createRoute, createRouter } from "@tanstack/react-router";
import { Skeleton } from "./components/skeleton.tsx";
import { Home } from "./frame/home.tsx";
import { PartFailed } from "./frame/page-failed.tsx";
import { domainRoute } from "./routes/domain.tsx";
import { operatorRoute } from "./routes/operator.tsx";
import { rootRoute } from "./routes/root.tsx";
import { parseSearch, stringifySearch } from "./routes/text-search.ts";
import { auditRoute } from "./views/audit/route.ts";
import { deliveryRoute } from "./views/delivery/route.ts";
import { keysRoute } from "./views/keys/route.ts";
import { accountsRoute } from "./views/operator/accounts/route.ts";
import { auditLogRoute } from "./views/operator/audit/route.ts";
import { domainDetailsRoute } from "./views/operator/domain/route.ts";
import { domainsRoute } from "./views/operator/domains/route.ts";
import { failuresRoute } from "./views/operator/failures/route.ts";
import { queueRoute } from "./views/operator/queue/route.ts";
import { serviceAccountsRoute } from "./views/operator/service-accounts/route.ts";
import { systemRoute } from "./views/operator/system/route.ts";
import { workersRoute } from "./views/operator/workers/route.ts";
import { outrosRoute } from "./views/outros/route.ts";
import { overviewRoute } from "./views/overview/route.ts";
import { settingsRoute } from "./views/settings/route.ts";
import { signInRoute } from "./views/sign-in/route.ts";
import { storageRoute } from "./views/storage/route.ts";
import { uploadRoute } from "./views/upload/route.ts";
import { usageRoute } from "./views/usage/route.ts";
import { videoRoute } from "./views/video/route.ts";
import { videosRoute } from "./views/videos/route.ts";
import { webhooksRoute } from "./views/webhooks/route.ts";

const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: "/", component: Home });

const routeTree = rootRoute.addChildren([
	homeRoute,
	signInRoute,
	domainRoute.addChildren([
		overviewRoute,
		videosRoute,
		videoRoute,
		uploadRoute,
		outrosRoute,
		webhooksRoute,
		deliveryRoute,
		storageRoute,
		settingsRoute,
		keysRoute,
		usageRoute,
		auditRoute,
	]),
	operatorRoute.addChildren([
		domainsRoute,
		domainDetailsRoute,
		queueRoute,
		workersRoute,
		failuresRoute,
		accountsRoute,
		serviceAccountsRoute,
		auditLogRoute,
		systemRoute,
	]),
]);

/** Every view by its path. A view's code comes when it is opened; pointing at a link to it fetches it before. */
export const router = createRouter({
	routeTree,
	basepath: "/console",
	parseSearch,
	stringifySearch,
	defaultPreload: "intent",
	defaultPendingComponent: Skeleton,
	defaultErrorComponent: PartFailed,
	scrollRestoration: true,
});

declare module "@tanstack/react-router" {
	interface Register {
		router: typeof router;
	}
}
