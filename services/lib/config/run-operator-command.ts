import { ConfigError } from './read-env.ts'

/**
 * Runs an operator's command and sets the exit code of the process to its result. 0: all is well. 1: the
 * command found a problem or failed. 2: the command or the configuration is wrong. Prints an error that the
 * command throws.
 */
export async function runOperatorCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exitCode = error instanceof ConfigError ? 2 : 1
  }
}
