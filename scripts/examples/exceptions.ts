/** Packages whose exported functions don't all have an example yet. Only ever take a name out. */
export const withoutExamples: readonly string[] = [
	"conformance",
	"engine",
	"http",
	"node",
	"outbound",
	"postgres",
	"sendfile",
	"storage-local",
	"storage-s3",
];
