import type { IForbiddenRuleType } from 'dependency-cruiser'

const TOOLS = 'bench|chaos|checks|e2e|load|local'
const OTHER_CODE = '^(?:services|gateway|frontend|openapi|proto)/'
/** Files that may use what is made for tests alone. */
const TEST_CODE = `(?:\\.test\\.tsx?$|(?:^|/)(?:test|testing|bench|tools)/|^services/(?:${TOOLS})/)`

/**
 * Who may import whom. Imports go one way: what many parts share knows none of them, services do not
 * know each other, and features of the page do not know each other.
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
    // The peers of a benchmark are installed by whoever compares against them.
    from: { pathNot: '^services/bench/peers/' },
    to: { couldNotResolve: true, pathNot: '^vite/client$' },
  },
  {
    name: 'services-stand-alone',
    comment: 'A service imports itself and services/lib; another one is spoken to over the network.',
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
    comment: 'A shared library never imports what uses it.',
    from: { path: '^services/lib/' },
    to: { path: OTHER_CODE, pathNot: '^services/lib/' },
  },
  {
    name: 'page-shares-what-has-no-server',
    comment:
      'Of the servers’ code the page imports telemetry, contracts and the rules of usernames; its tests, the tests’ library too.',
    from: { path: '^frontend/', pathNot: TEST_CODE },
    to: { path: OTHER_CODE, pathNot: '^(?:frontend|services/lib/(?:telemetry|contracts|usernames))/' },
  },
  {
    name: 'page-tests-share-the-test-library',
    comment: 'Tests of the page import what the page may, and services/lib/testing.',
    from: { path: '^frontend/.*\\.test\\.tsx?$' },
    to: {
      path: OTHER_CODE,
      pathNot: '^(?:frontend|services/lib/(?:telemetry|contracts|usernames|testing|files))/',
    },
  },
  {
    name: 'features-stand-alone',
    comment: 'Features of the page meet in src/app; what two of them need belongs in src/shared.',
    from: { path: '^frontend/src/features/([^/]+)/' },
    to: { path: '^frontend/src/(?:features|app)/', pathNot: '^frontend/src/features/$1/' },
  },
  {
    name: 'shared-knows-no-feature',
    comment: 'What all features share knows none of them.',
    from: { path: '^frontend/src/shared/' },
    to: { path: '^frontend/src/(?:features|app)/' },
  },
  {
    name: 'telemetry-runs-anywhere',
    comment:
      'The telemetry library runs in browsers and servers alike: nothing of Node, no package but protobuf.',
    from: { path: '^services/lib/telemetry/', pathNot: '(?:\\.test\\.ts$|/(?:bench|tools)/)' },
    to: {
      pathNot: '^(?:services/lib/(?:telemetry|contracts/gen/proto)/|(?:node_modules/)?@bufbuild/protobuf)',
      dependencyTypesNot: ['unknown', 'undetermined'],
    },
  },
  {
    name: 'test-code-stays-in-tests',
    comment: 'What is made for tests is not part of the product.',
    // The sample session is written by the writer of the tests' files.
    from: { pathNot: `(?:${TEST_CODE}|^services/lib/telemetry/sample/)` },
    to: { path: '(?:^(?!.*node_modules).*/test(?:ing)?/|\\.test\\.tsx?$)' },
  },
  {
    name: 'declared-packages',
    comment:
      'The package.json of the workspace must name the package, or an image with that workspace alone lacks it.',
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
