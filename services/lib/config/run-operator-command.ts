import { ConfigError } from './read-env.ts'

/**
 * Runs an operator's command and has the process exit with what it gives: 0 where all is well, 1 where it is not
 * or cannot be told, 2 where the command or the configuration is wrong. What it throws is printed.
 */
export async function runOperatorCommand(command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command()
  } catch (error) {
    console.error(error instanceof ConfigError ? error.message : error)
    process.exitCode = error instanceof ConfigError ? 2 : 1
  }
}
