import type { Column, Variable } from '@lapwing/telemetry'
import { useCallback, useEffect, useState } from 'react'
import { readSentence } from '#shared/files/reader-client.ts'
import type { ChannelSource } from './channel-protocol.ts'
import type { ChannelReader } from './channel-reader.ts'
import type { LapViews } from './lap-views.ts'
import { openReader } from './open-reader.ts'

/** The columns of the lap and of its reference. */
export interface LapColumns {
  /** The lap that they are of. The shown lap can be a later one, whose columns are still read. */
  readonly views: LapViews
  readonly lap: ReadonlyMap<string, Column>
  /** Null without a reference in the same file. */
  readonly reference: ReadonlyMap<string, Column> | null
}

interface Channels {
  /** Null until they are read. */
  readonly variables: ReadonlyMap<string, Variable> | null
  /** Null until the first are read. */
  readonly columns: LapColumns | null
  /** Why the last reading failed, in a sentence. */
  readonly problem: string | null
  readonly retry: () => void
}

/**
 * Reads the variables of a file, and the columns of the shown lap that `namesOf` wants. Columns that were read stay until
 * the next ones are there, so that nothing flickers. Both `source` and `namesOf` must stay the same between changes.
 */
export function useChannels(
  source: ChannelSource,
  views: LapViews,
  namesOf: (variables: ReadonlyMap<string, Variable>) => readonly string[],
): Channels {
  const [reader, setReader] = useState<ChannelReader | null>(null)
  const [variables, setVariables] = useState<ReadonlyMap<string, Variable> | null>(null)
  const [columns, setColumns] = useState<LapColumns | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    const opened = openReader(source)
    setReader(opened.reader)
    return () => {
      setReader(null)
      setVariables(null)
      setColumns(null)
      opened.end()
    }
  }, [source])

  useEffect(() => {
    if (!reader || variables) return
    let isWanted = true
    reader.variables().then(
      found => isWanted && setVariables(new Map(found.map(variable => [variable.name, variable]))),
      (error: unknown) => isWanted && setProblem(readSentence(error)),
    )
    return () => {
      isWanted = false
    }
  }, [reader, variables, attempt])

  useEffect(() => {
    if (!reader || !variables) return
    const names = namesOf(variables)
    const stop = new AbortController()
    const read = async () => {
      const lap = await reader.columns(views.lap, names, stop.signal)
      const reference = views.reference && (await reader.columns(views.reference, names, stop.signal))
      return { views, lap, reference }
    }
    read().then(
      found => {
        if (stop.signal.aborted) return
        setColumns(found)
        setProblem(null)
      },
      (error: unknown) => stop.signal.aborted || setProblem(readSentence(error)),
    )
    return () => stop.abort()
  }, [reader, variables, namesOf, views, attempt])

  const retry = useCallback(() => {
    setProblem(null)
    setAttempt(before => before + 1)
  }, [])
  return { variables, columns, problem, retry }
}
