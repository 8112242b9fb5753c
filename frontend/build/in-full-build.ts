import type { Plugin } from 'vite'

/** Applies a plugin to every build but one with `--mode quick`, which is for a test of the page's own code. */
export const inFullBuild = ((_, { command, mode }) =>
  command === 'build' && mode !== 'quick') satisfies Plugin['apply']
