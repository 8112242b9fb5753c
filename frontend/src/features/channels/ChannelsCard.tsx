import './channels.css'
import type { Variable } from '@lapwing/telemetry'
import { X } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { channelPage, channelPages } from '#shared/preferences/channels.ts'
import { speedUnit, temperatureUnit } from '#shared/preferences/units.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { useKeptFocus } from '#shared/ui/use-kept-focus.ts'
import { ChannelPicker } from './ChannelPicker.tsx'
import { ChartBlock } from './ChartBlock.tsx'
import type { ChannelSource } from './channel-protocol.ts'
import { namesOf, parseTerm } from './channel-term.ts'
import { whyNot } from './channel-values.ts'
import { type ChartDeck, createChartDeck } from './chart-deck.ts'
import {
  type Chart,
  type ChartPage,
  defaultPages,
  formatPages,
  MAX_CHARTS,
  parsePages,
} from './chart-pages.ts'
import type { LapViews } from './lap-views.ts'
import { PageBar } from './PageBar.tsx'
import { useChannels } from './use-channels.ts'

interface ChannelsCardProps {
  /** A sentence if there is no file whose channels could be read. */
  readonly source: ChannelSource | string
  readonly views: LapViews
  /** Whether the driver has just opened the card: it comes into sight and gets the focus. */
  readonly isAsked: boolean
  readonly onClose: () => void
}

/** Chart pages of any channel of the file, over the lap that all views show. */
export function ChannelsCard({ source, views, isAsked, onClose }: ChannelsCardProps) {
  const card = useRef<HTMLElement>(null)
  /** Whether the card has its height: before, the page could not scroll to it. */
  const [isFilled, setFilled] = useState(typeof source === 'string')
  const onFilled = useCallback(() => setFilled(true), [])
  useKeptFocus(card)
  useEffect(() => {
    if (isAsked) card.current!.focus({ preventScroll: true })
  }, [isAsked])
  useEffect(() => {
    if (!isAsked || !isFilled) return
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
    card.current!.scrollIntoView({ block: 'start', behavior: isCalm ? 'instant' : 'smooth' })
  }, [isAsked, isFilled])
  return (
    <section
      ref={card}
      tabIndex={-1}
      aria-label="Channels"
      data-shows-values
      className="channels-card rounded-card border border-line bg-card"
    >
      <header className="channels-head">
        <h2 className="font-semibold text-muted text-xs">Channels of {views.lap.name}</h2>
        <Button variant="ghost" size="icon" aria-label="Close the channels" onClick={onClose}>
          <X size={16} aria-hidden />
        </Button>
      </header>
      {typeof source === 'string' ? (
        <p>{source}</p>
      ) : (
        <Pages source={source} views={views} onFilled={onFilled} />
      )}
    </section>
  )
}

interface PagesProps {
  readonly source: ChannelSource
  readonly views: LapViews
  /** Called when the charts have their places. */
  readonly onFilled: () => void
}

function Pages({ source, views, onFilled }: PagesProps) {
  const [speed, temperature] = [useStore(speedUnit), useStore(temperatureUnit)]
  const choices = useMemo(() => ({ speed, temperature }), [speed, temperature])
  const stored = useStore(channelPages)
  const pageName = useStore(channelPage)
  /** The chart that the picker changes; its place is that of a new one for a chart that is added. */
  const [edited, setEdited] = useState<number | null>(null)
  /** The chart that the picker has just made or changed. */
  const [made, setMade] = useState<{ readonly at: number } | null>(null)
  const charts = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (made) charts.current?.children[made.at]?.scrollIntoView({ block: 'nearest' })
  }, [made])

  const pagesOf = useCallback(
    (variables: ReadonlyMap<string, Variable>) =>
      parsePages(stored) ?? defaultPages(term => whyNot(term, variables, choices) === null),
    [stored, choices],
  )
  const shownOf = useCallback(
    (pages: readonly ChartPage[]) =>
      Math.max(
        0,
        pages.findIndex(({ name }) => name === pageName),
      ),
    [pageName],
  )
  const namesOfPage = useCallback(
    (variables: ReadonlyMap<string, Variable>) => {
      const pages = pagesOf(variables)
      const terms = pages[shownOf(pages)]!.charts.flatMap(({ channels }) => channels)
      const names = terms.flatMap(term => namesOf(parseTerm(term)!)).filter(name => variables.has(name))
      return [...new Set(names)]
    },
    [pagesOf, shownOf],
  )
  const { variables, columns, problem, retry } = useChannels(source, views, namesOfPage)
  const deck = useDeck(columns?.views ?? null)
  const pages = useMemo(() => variables && pagesOf(variables), [variables, pagesOf])
  const isFilled = pages !== null
  useEffect(() => {
    if (isFilled) onFilled()
  }, [isFilled, onFilled])
  if (!variables || !pages) {
    return problem ? (
      <Problem sentence={problem} onRetry={retry} />
    ) : (
      <p role="status">Reading the channels...</p>
    )
  }

  const shown = shownOf(pages)
  const page = pages[shown]!
  const save = (next: readonly ChartPage[], at: number) => {
    channelPages.set(formatPages(next))
    channelPage.set(next[at]!.name)
  }
  const saveCharts = (charts: readonly Chart[]) => save(pages.with(shown, { ...page, charts }), shown)

  return (
    <>
      <PageBar
        pages={pages}
        shown={shown}
        isDefault={stored === ''}
        onShow={at => channelPage.set(pages[at]!.name)}
        onChange={save}
        onReset={() => channelPages.set('')}
        onAdd={page.charts.length < MAX_CHARTS ? () => setEdited(page.charts.length) : null}
      />
      {problem && <Problem sentence={problem} onRetry={retry} />}
      {page.charts.length === 0 && <p className="channels-none">This page has no charts yet.</p>}
      <ol ref={charts} aria-label={page.name} className="channels-charts">
        {page.charts.map((chart, at) => (
          <ChartBlock
            // The place tells two charts of the same channels apart.
            key={`${page.name} ${at} ${chart.kind} ${chart.channels.join()}`}
            chart={chart}
            variables={variables}
            columns={columns}
            choices={choices}
            deck={deck}
            onEdit={() => setEdited(at)}
            onRemove={() => saveCharts(page.charts.toSpliced(at, 1))}
            onMove={by => saveCharts(page.charts.toSpliced(at, 1).toSpliced(at + by, 0, chart))}
            isFirst={at === 0}
            isLast={at === page.charts.length - 1}
          />
        ))}
      </ol>
      <ChannelPicker
        // So that it starts with the channels of each chart.
        key={edited}
        open={edited !== null}
        onOpenChange={() => setEdited(null)}
        variables={variables}
        choices={choices}
        chart={edited === null ? null : (page.charts[edited] ?? null)}
        onDone={chart => {
          saveCharts(page.charts.toSpliced(edited!, 1, chart))
          setMade({ at: edited! })
          setEdited(null)
        }}
      />
    </>
  )
}

function Problem({ sentence, onRetry }: { readonly sentence: string; readonly onRetry: () => void }) {
  return (
    <div className="channels-problem">
      <Notice message={sentence} />
      <Button onClick={onRetry}>Retry</Button>
    </div>
  )
}

/** Returns the deck that draws the charts over a lap; null before its first. */
function useDeck(views: LapViews | null): ChartDeck | null {
  const [deck, setDeck] = useState<ChartDeck | null>(null)
  useEffect(() => {
    if (!views) return
    const created = createChartDeck(views)
    setDeck(created)
    return () => {
      setDeck(null)
      created.destroy()
    }
  }, [views])
  return deck
}
