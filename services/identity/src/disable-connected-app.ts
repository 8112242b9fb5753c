import { runOperatorCommand } from '@lapwing/config/run-operator-command'
import { changeAsOperator } from './change-as-operator.ts'
import { loadLockConfig } from './config.ts'
import { turnApp } from './connected-apps/save-app.ts'

/** `node src/disable-connected-app.ts <client id> [--enable]`: turns an app off and ends its tokens, or on again. */
await runOperatorCommand(async () => {
  const [clientId, flag, ...rest] = process.argv.slice(2)
  if (clientId === undefined || (flag !== undefined && flag !== '--enable') || rest.length > 0) {
    console.error('node src/disable-connected-app.ts <client id> [--enable]')
    return 2
  }
  const isOn = flag === '--enable'
  const config = loadLockConfig(process.env)
  const isFound = await changeAsOperator(config, work => turnApp(work, clientId, isOn))
  console.log(
    isFound ? `identity: ${clientId} is turned ${isOn ? 'on' : 'off'}` : 'identity: there is no such app',
  )
  return isFound ? 0 : 1
})
