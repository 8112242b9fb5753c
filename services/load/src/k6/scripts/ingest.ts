/** `k6 run` on the bundle of this file makes the scenario `ingest`. */
import { scenarios } from '../../scenarios/scenarios.ts'
import { k6Script } from './k6-script.ts'

const script = k6Script(scenarios.ingest)
export const options = script.options
export const setup = script.setup
export const teardown = script.teardown
export default script.run
