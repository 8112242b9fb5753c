import { testOfficialClient } from './official-client/test-official-client.ts'

testOfficialClient('v6')
