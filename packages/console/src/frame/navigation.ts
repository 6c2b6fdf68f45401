import {
	Activity,
	ChartColumn,
	Clapperboard,
	Film,
	Globe,
	HardDrive,
	House,
	KeyRound,
	ListOrdered,
	type LucideIcon,
	ScrollText,
	Server,
	Settings,
	TriangleAlert,
	Users,
	Webhook,
	Wrench,
} from "lucide-react";

type Entry<To extends string> = {
	readonly name: string;
	readonly to: To;
	readonly icon: LucideIcon;
	/** Other words by which the palette finds it. */
	readonly words?: string;
};

/** The views of a domain, in the order of the side bar. */
export const domainViews = [
	{ name: "Overview", to: "/d/$domain", icon: House, words: "home start checklist" },
	{ name: "Videos", to: "/d/$domain/videos", icon: Film, words: "list filter failed processing upload" },
	{ name: "Outros", to: "/d/$domain/outros", icon: Clapperboard },
	{ name: "Webhooks", to: "/d/$domain/webhooks", icon: Webhook, words: "deliveries endpoint replay secret events" },
	{ name: "Storage", to: "/d/$domain/storage", icon: HardDrive, words: "bucket s3" },
	{ name: "Keys", to: "/d/$domain/keys", icon: KeyRound, words: "api key rotate" },
	{ name: "Usage", to: "/d/$domain/usage", icon: ChartColumn, words: "limits quota" },
	{ name: "Settings", to: "/d/$domain/settings", icon: Settings, words: "config renditions" },
	{ name: "Audit", to: "/d/$domain/audit", icon: ScrollText, words: "log who" },
] as const satisfies readonly Entry<string>[];

/** The views of the installation, for admins. */
export const operatorViews = [
	{ name: "Domains", to: "/operator/domains", icon: Globe, words: "tenants limits" },
	{ name: "Queue", to: "/operator/queue", icon: ListOrdered, words: "jobs waiting running" },
	{ name: "Workers", to: "/operator/workers", icon: Server, words: "transcoders" },
	{ name: "Failures", to: "/operator/failures", icon: TriangleAlert, words: "errors reasons" },
	{ name: "Accounts", to: "/operator/accounts", icon: Users, words: "people console members admins" },
	{ name: "Service accounts", to: "/operator/service-accounts", icon: Wrench, words: "workers secret" },
	{ name: "Audit log", to: "/operator/audit", icon: ScrollText, words: "who" },
	{ name: "System", to: "/operator/system", icon: Activity, words: "version settings health storage locations" },
] as const satisfies readonly Entry<string>[];
