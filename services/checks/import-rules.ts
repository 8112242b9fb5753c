import type { IForbiddenRuleType } from 'dependency-cruiser'

const TOOLS = 'bench|chaos|checks|e2e|kube|load|local'
const OTHER_CODE = '^(?:services|gateway|frontend|openapi|proto)/'
/** Matches files that may import code for tests. */
const TEST_CODE = `(?:\\.test\\.tsx?$|(?:^|/)(?:test|testing|bench|tools)/|^services/(?:${TOOLS})/)`

/**
 * Rules for imports, which go one way. Shared code imports none of its users. Services do not import each
 * other, and features of the page do not either.
 */
export const importRules: readonly IForbiddenRuleType[] = [
  {
    name: 'no-cycles',
    comment: 'Modules that import each other in a ring cannot be read, tested or moved one by one.',
    from: {},
    to: { circular: true },
  },
  {
    name: 'resolvable',
    comment: 'The imported file or package does not exist.',
    // The peers of a benchmark are installed only for the comparison with them.
    from: { pathNot: '^services/bench/peers/' },
    // k6 brings its own modules, and only its types are installed.
    to: { couldNotResolve: true, pathNot: '^(?:vite/client$|k6/)' },
  },
  {
    name: 'services-stand-alone',
    comment: 'A service imports itself and services/lib. It calls other services over the network.',
    from: { path: `^services/(?!(?:lib|${TOOLS})/)([^/]+)/` },
    to: { path: OTHER_CODE, pathNot: '^services/(?:lib|$1)/' },
  },
  {
    name: 'gateway-stands-alone',
    comment: 'The gateway imports itself and services/lib.',
    from: { path: '^gateway/' },
    to: { path: OTHER_CODE, pathNot: '^(?:services/lib|gateway)/' },
  },
  {
    name: 'lib-knows-no-user',
    comment: 'A shared library never imports its users.',
    from: { path: '^services/lib/' },
    to: { path: OTHER_CODE, pathNot: '^services/lib/' },
  },
  {
    name: 'page-shares-what-has-no-server',
    comment: 'The page imports only what needs no server of services/lib. Its tests may import more.',
    from: { path: '^frontend/', pathNot: TEST_CODE },
    to: {
      path: OTHER_CODE,
      pathNot: '^(?:frontend|services/lib/(?:telemetry|lap-map|simulator|contracts|usernames))/',
    },
  },
  {
    name: 'page-tests-share-the-test-library',
    comment: 'Tests of the page import what the page imports, services/lib/testing and services/lib/files.',
    from: { path: '^frontend/.*\\.test\\.tsx?$' },
    to: {
      path: OTHER_CODE,
      pathNot:
        '^(?:frontend|services/lib/(?:telemetry|lap-map|simulator|contracts|usernames|testing|files))/',
    },
  },
  {
    name: 'features-stand-alone',
    comment: 'Only src/app imports features of the page. Code that two features need belongs in src/shared.',
    from: { path: '^frontend/src/features/([^/]+)/' },
    to: { path: '^frontend/src/(?:features|app)/', pathNot: '^frontend/src/features/$1/' },
  },
  {
    name: 'shared-knows-no-feature',
    comment: 'Code that all features share imports none of them.',
    from: { path: '^frontend/src/shared/' },
    to: { path: '^frontend/src/(?:features|app)/' },
  },
  {
    name: 'client-stands-alone',
    comment:
      'Other front ends install the identity client. Of the page it imports only a few files without state.',
    from: { path: '^frontend/client/src/', pathNot: TEST_CODE },
    to: {
      path: OTHER_CODE,
      pathNot:
        '^(?:frontend/client/src/|services/lib/contracts/|frontend/src/shared/(?:api/(?:shapes|request-id)|storage/safe-storage|store/store|time/timers)\\.ts$)',
    },
  },
  {
    name: 'telemetry-runs-anywhere',
    comment:
      'Telemetry and the simulator run in browsers and servers. They import only protobuf, nothing of Node.',
    from: { path: '^services/lib/(telemetry|simulator)/', pathNot: '(?:\\.test\\.ts$|/testing/)' },
    to: {
      pathNot: '^(?:services/lib/(?:$1|telemetry|contracts/gen/proto)/|(?:node_modules/)?@bufbuild/protobuf)',
      dependencyTypesNot: ['unknown', 'undetermined'],
    },
  },
  {
    name: 'lap-map-runs-anywhere',
    comment: 'The geometry of the map runs in browsers and servers. It imports only its index of samples.',
    from: { path: '^services/lib/lap-map/', pathNot: '(?:\\.test\\.ts$|/testing/)' },
    to: {
      pathNot: '^(?:services/lib/lap-map/|(?:node_modules/)?flatbush)',
      dependencyTypesNot: ['unknown', 'undetermined'],
    },
  },
  {
    name: 'test-code-stays-in-tests',
    comment: 'Code for tests is not part of the product.',
    from: { pathNot: TEST_CODE },
    to: { path: '(?:^(?!.*node_modules).*/test(?:ing)?/|\\.test\\.tsx?$)' },
  },
  {
    name: 'declared-packages',
    comment:
      'The package.json of the workspace must declare the package, because an image may hold only that one.',
    from: { pathNot: TEST_CODE },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-development-packages-at-run-time',
    comment: 'An image is built without devDependencies.',
    from: { path: `^(?:services/(?!(?:${TOOLS})/)|gateway/)`, pathNot: TEST_CODE },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
]
