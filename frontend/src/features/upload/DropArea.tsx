import { clsx } from 'clsx'
import { FolderOpen, Play, Upload } from 'lucide-react'
import { Fragment } from 'react'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { CircuitFigure } from './CircuitFigure.tsx'
import type { Alternative } from './upload-store.ts'

export interface DropAreaProps {
  /** Whether a file is being dragged over the window. */
  readonly isLit: boolean
  /** Why the last file was not read; null without a problem. */
  readonly problem: string | null
  /** Which side reads the file (D-23); null while that is not known yet. */
  readonly readBy: 'browser' | 'server' | null
  readonly isSignedIn: boolean
  readonly onBrowse: () => void
  readonly onSample: () => void
  readonly onLibrary: () => void
  readonly onDismissProblem: () => void
  /** What can be done with the last file, if it was not opened. */
  readonly alternative: Alternative | null
}

/** What happens to a file. It depends on the deployment, so the page must not promise the other. */
const whatHappens = {
  browser: ['It is read here, in your browser.', 'Nothing is sent unless you are signed in.'],
  server: ['It is sent to this site to be read.', 'It is not kept there unless you are signed in.'],
} as const
const WHAT_HAPPENS_SIGNED_IN = 'You are signed in: the file is saved, and its best lap ranked.'

const benefits = (isSignedIn: boolean) => [
  { title: 'Every lap judged', text: 'Reset, pit, cut or contact: each lap says why it counts or not.' },
  {
    title: 'Any lap to compare',
    text: `${isSignedIn ? 'Take' : 'Signed in, take'} any lap on the leaderboard as your reference.`,
  },
  {
    title: 'Your best lap ranked',
    text: `${isSignedIn ? 'It' : 'Signed in, it'} is saved for that track and car, worldwide.`,
  },
]

/** The first visit: as tall as the window; a drop or a click anywhere chooses a file. */
export function DropArea(props: DropAreaProps) {
  const { isLit, problem, alternative, readBy, isSignedIn, onBrowse, onSample, onLibrary, onDismissProblem } =
    props
  const [reading, keeping] = whatHappens[readBy ?? 'browser']
  return (
    <section
      aria-label="Upload a telemetry file"
      className={clsx(
        'relative flex min-h-full flex-col items-center justify-center overflow-hidden rounded-card border border-dashed px-4 py-8 text-center transition-colors duration-100 sm:px-8',
        isLit ? 'border-accent bg-accent/10' : 'border-accent/50 bg-card hover:border-accent',
      )}
    >
      {/* A short cut for the pointer. For keyboards, the button below does the same. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: see above */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: see above */}
      <div className="absolute inset-0 cursor-pointer" onClick={onBrowse} />
      <div className="pointer-events-none relative flex w-full max-w-2xl flex-col items-center">
        <CircuitFigure className="mb-8 h-[clamp(120px,26dvh,300px)] w-full max-w-lg" />
        <h1 className="text-[26px] leading-[1.15] font-semibold tracking-tight text-balance max-[24rem]:text-[23px] sm:text-[32px] lg:max-xl:text-[26px]">
          {isLit ? 'Let go to read it.' : 'Drop an .ibt file.'}
          <br />
          See where the time goes.
        </h1>
        <p className={clsx('mt-3 text-sm text-muted', readBy === null && 'invisible')}>
          {[reading, isSignedIn ? WHAT_HAPPENS_SIGNED_IN : keeping].map(sentence => (
            <Fragment key={sentence}>
              <span className="inline-block">{sentence}</span>{' '}
            </Fragment>
          ))}
        </p>
        <div className="pointer-events-auto mt-5 flex flex-wrap justify-center gap-2">
          <Button variant="primary" size="large" onClick={onBrowse}>
            <Upload size={16} aria-hidden />
            Choose file
          </Button>
          <Button size="large" onClick={onSample}>
            <Play size={16} aria-hidden />
            Try a sample session
          </Button>
          <Button size="large" onClick={onLibrary}>
            <FolderOpen size={16} aria-hidden />
            Open your telemetry folder
          </Button>
        </div>
        <div className="pointer-events-auto mt-4 flex min-h-12 flex-wrap items-center justify-center gap-2">
          {problem && <Notice message={problem} onDismiss={onDismissProblem} />}
          {alternative ? (
            // A toast with the same button goes after four seconds.
            <Button onClick={alternative.take}>{alternative.label}</Button>
          ) : problem ? null : (
            <p className="flex flex-wrap items-center justify-center gap-x-1.5 text-xs text-muted">
              <span className="text-balance">
                <FolderOpen size={14} aria-hidden className="mr-1.5 inline-block align-[-2px]" />
                iRacing keeps them in Documents › iRacing › telemetry
              </span>
              <span aria-hidden className="hidden xl:inline">
                ·
              </span>
              <span>up to 100 MB</span>
            </p>
          )}
        </div>
        <ul className="mt-8 grid w-full gap-x-6 gap-y-3 text-left sm:grid-cols-3">
          {benefits(isSignedIn).map(({ title, text }) => (
            <li key={title} className="border-t border-line pt-2.5">
              <p className="font-semibold">{title}</p>
              <p className="mt-0.5 text-xs text-muted">{text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}
