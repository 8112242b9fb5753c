import '#shared/ui/dialog-frame.css'
import './session-dialog.css'
import { formatLapTime, type Lap, type Preview } from '@lapwing/telemetry'
import type { Corner } from '@lapwing/telemetry/compare'
import {
  cornerSpreads,
  drivenBest,
  findStints,
  fuelALap,
  type LapSpread,
  lapSpread,
  type MeasuredLaps,
  measuredLaps,
  type SectorBests,
  sectorBests,
} from '@lapwing/telemetry/stints'
import { useMemo, useState } from 'react'
import { type LapNames, lapNames } from '#shared/laps/lap-names.ts'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { NativeSelect } from '#shared/ui/NativeSelect.tsx'
import { SegmentedControl } from '#shared/ui/SegmentedControl.tsx'
import { useLater } from '#shared/ui/use-later.ts'
import { CornersTable } from './CornersTable.tsx'
import { LapsTable } from './LapsTable.tsx'
import { lapRows } from './lap-rows.ts'
import { MiniSectorsView } from './MiniSectorsView.tsx'
import { StintsView } from './StintsView.tsx'
import type { SessionFile, SessionStudy } from './study-session.ts'
import { useStudy } from './use-study.ts'

interface SessionDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  /** The open session: a file, the sample (no file), or a saved lap. */
  readonly session: {
    readonly preview: Preview
    readonly file: File | null
    readonly savedLap: object | null
  }
  /** The corners that the page shows; undefined if it shows none. */
  readonly corners: readonly Corner[] | undefined
  /** The lap that the page shows, and how another is shown. */
  readonly selection: {
    readonly selected: Lap | undefined
    readonly select: (lap: Lap) => void
    readonly setValidOnly: (validOnly: boolean) => void
  }
}

/** All laps of the open session side by side. A press on a lap shows it in the page. */
export function SessionDialog({ open, onOpenChange, session, corners, selection }: SessionDialogProps) {
  const { preview, savedLap } = session
  // The channels of over a million rows do not fit into memory.
  const file = preview.fileLaps ? null : (session.file ?? (savedLap ? null : 'sample'))
  const { study, problem } = useStudy(preview, corners ?? null, file, open)
  const show = (lap: Lap) => {
    // Such a lap is not in the page's list otherwise.
    if (!lap.is_completed) selection.setValidOnly(false)
    selection.select(lap)
    onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Session"
      width="session-dialog"
      focusDialog
      ownScroll
      fromTop
    >
      <Session
        preview={preview}
        file={file}
        study={study}
        problem={problem}
        selected={selection.selected}
        onSelect={show}
      />
    </Dialog>
  )
}

interface SessionProps {
  readonly preview: Preview
  readonly file: SessionFile
  readonly selected: Lap | undefined
  readonly onSelect: (lap: Lap) => void
  /** Null until the laps are lined up. */
  readonly study: SessionStudy | null
  readonly problem: string | null
}

/** Renders the content in the frame after the dialog opens: both in one frame would keep the page from answering. */
function Session(props: SessionProps) {
  return useLater() ? <AllLaps {...props} /> : <div className="dialog-frame" tabIndex={-1} aria-busy="true" />
}

type View = 'laps' | 'corners' | 'minis' | 'stints'

const VIEWS = [
  { value: 'laps', label: 'Laps' },
  { value: 'corners', label: 'Corners' },
  { value: 'minis', label: 'Mini-sectors' },
  { value: 'stints', label: 'Stints' },
] as const satisfies readonly { readonly value: View; readonly label: string }[]

/** The value of the choice for all simulator sessions of the file. */
const ALL = 'all'

function AllLaps({ preview, file, study, problem, selected, onSelect }: SessionProps) {
  const { laps } = preview
  const [view, setView] = useState<View>('laps')
  const [session, setSession] = useState(ALL)
  const names = useMemo(() => lapNames(laps), [laps])
  const sessions = useMemo(() => sessionsOf(laps, names), [laps, names])
  const log = study?.log?.laps ?? null
  const scope = useMemo(() => {
    const isIn = ({ session_num }: Lap) => session === ALL || String(session_num) === session
    const shown = laps.filter(isIn)
    const logs = log?.filter((_, i) => isIn(laps[i]!)) ?? null
    const measured = measuredLaps(shown)
    const pace = lapSpread(measured.laps.map(({ time_s }) => time_s))
    const sectors = sectorBests(measured.laps)
    return {
      shown,
      measured,
      pace,
      sectors,
      rows: lapRows(shown, logs, measured.laps, sectors),
      stints: findStints(shown, logs),
      leftL: logs?.at(-1)?.fuelEndL ?? null,
    }
  }, [laps, log, session])
  const { shown, measured, rows } = scope
  const byRow = useMemo(() => new Map(laps.map(lap => [lap.row_start, lap])), [laps])
  const nameAt = (rowStart: number) => {
    const lap = byRow.get(rowStart)
    return lap ? names.nameOf(lap) : ''
  }
  const aligned = useMemo(() => {
    const of = (some: readonly Lap[]) => {
      const starts = new Set(some.map(({ row_start }) => row_start))
      return study?.aligned.laps.filter(({ rowStart }) => starts.has(rowStart)) ?? []
    }
    return { all: of(shown), measured: of(measured.laps) }
  }, [study, shown, measured])
  const basis = countOf(aligned.measured.length, measured.areClean)
  const notes = fileNotes(study, problem, file)
  const needsMore = aligned.measured.length < 2

  return (
    <div className="dialog-frame" tabIndex={-1} aria-busy={study === null && problem === null}>
      <Figures {...scope} names={names} />
      <div className="study-bar">
        <SegmentedControl label="View" value={view} onValueChange={setView} segments={VIEWS} />
        {sessions.length > 1 && (
          <div className="study-choice">
            <NativeSelect
              label="Session of the file"
              value={session}
              onValueChange={setSession}
              options={[{ value: ALL, label: 'All sessions' }, ...sessions]}
            />
          </div>
        )}
      </div>
      {view === 'laps' && (
        <LapsTable
          rows={rows}
          names={names}
          sectors={scope.sectors}
          areClean={measured.areClean}
          note={notes.join(' ')}
          selected={selected}
          onSelect={onSelect}
        />
      )}
      {view === 'stints' && (
        <StintsView
          stints={scope.stints}
          names={names}
          note={[...notes, setupWords(study)].filter(Boolean).join(' ')}
        />
      )}
      {(view === 'corners' || view === 'minis') &&
        (study === null ? (
          <p role="status" className="dialog-none">
            {problem ?? 'Lining up the laps…'}
          </p>
        ) : needsMore ? (
          <p role="status" className="dialog-none">
            {aligned.all.length === 0
              ? 'No complete lap to compare.'
              : 'One complete lap: there is nothing to compare it with.'}
          </p>
        ) : view === 'corners' ? (
          <CornersTable
            spreads={cornerSpreads(study.aligned.corners, aligned.measured)}
            lapAt={rowStart => {
              const lap = byRow.get(rowStart)
              return lap ? { lap, name: names.nameOf(lap) } : null
            }}
            basis={basis}
            onSelect={onSelect}
          />
        ) : (
          <MiniSectorsView
            laps={aligned.all}
            measured={aligned.measured}
            basis={basis}
            outline={study.aligned.outline}
            nameOf={nameAt}
            selected={selected}
          />
        ))}
    </div>
  )
}

interface FiguresProps {
  readonly pace: LapSpread | null
  readonly measured: MeasuredLaps
  readonly sectors: SectorBests | null
  /** Litres at the end of the session; null if not recorded. */
  readonly leftL: number | null
  readonly names: LapNames
}

/** The pace and the fuel of the session. */
function Figures({ pace, measured, sectors, leftL, names }: FiguresProps) {
  if (pace === null) return null
  const best = measured.laps.find(({ time_s }) => time_s === pace.bestS)!
  const aLapL = fuelALap(measured.laps)
  return (
    <dl className="study-figures">
      <Figure name="Best lap" value={time(pace.bestS)} hint={names.nameOf(best)} />
      {sectors && (
        <Figure
          name="Theoretical best"
          value={time(sectors.theoreticalS)}
          hint={drivenBest(sectors.bests) ? 'all in one lap' : 'not driven'}
        />
      )}
      <Figure
        name="Median"
        value={time(pace.medianS)}
        hint={countOf(measured.laps.length, measured.areClean)}
      />
      <Figure
        name="Spread"
        value={pace.spreadS === null ? '–' : `${pace.spreadS.toFixed(3)} s`}
        hint={pace.spreadS === null ? 'from four laps on' : 'middle half'}
      />
      {aLapL !== null && <Figure name="Fuel a lap" value={`${aLapL.toFixed(2)} L`} hint="median" />}
      {aLapL !== null && aLapL > 0 && leftL !== null && (
        <Figure
          name="Laps left"
          value={(leftL / aLapL).toFixed(1)}
          hint={`${leftL.toFixed(1)} L at the end`}
        />
      )}
    </dl>
  )
}

interface FigureProps {
  readonly name: string
  readonly value: string
  readonly hint: string
}

function Figure({ name, value, hint }: FigureProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value} <span className="study-hint">{hint}</span>
      </dd>
    </div>
  )
}

const time = (seconds: number) => formatLapTime(seconds) ?? '–'

function countOf(count: number, areClean: boolean): string {
  return `${count} ${areClean ? 'clean' : 'complete'} ${count === 1 ? 'lap' : 'laps'}`
}

/** Returns the simulator sessions of the file as choices. */
function sessionsOf(laps: readonly Lap[], names: LapNames) {
  const bySession = new Map(laps.map(lap => [lap.session_num, lap]))
  return [...bySession].map(([number, lap]) => ({ value: String(number), label: names.sessionOf(lap) ?? '' }))
}

/** Returns what is not known, and why. */
function fileNotes(study: SessionStudy | null, problem: string | null, file: SessionFile): readonly string[] {
  if (study === null) return problem === null ? [] : [problem]
  if (file === null)
    return ['Fuel left, tread and weather are not known of saved laps and of files with very many rows.']
  if (study.problem !== null) return [`Fuel left, tread and weather could not be read. ${study.problem}`]
  return study.log?.laps.every(({ trafficShare }) => trafficShare === null)
    ? ['Traffic is not recorded in this file.']
    : []
}

function setupWords(study: SessionStudy | null): string | null {
  if (!study?.log) return null
  const { setup } = study.log
  return setup === null
    ? 'The file has no set-up.'
    : `Set-up ${setup}. A file has one set-up, so a change between stints is not in it.`
}
