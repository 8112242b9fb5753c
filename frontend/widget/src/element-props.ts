import type { ConfigInput, PresentationInput } from './config/config.ts'
import type { WidgetEvent } from './flows/flows.ts'
import type { Messages } from './texts/texts.ts'

/** What a page passes to `element.render(...)`. Absent members stay as the attributes say. */
export interface RenderInput {
  readonly config?: ConfigInput
  readonly presentation?: PresentationInput
  readonly callbacks?: Callbacks
  /** Texts of the page by their id, as ICU messages. */
  readonly strings?: Messages
}

/** The same events are dispatched on the element, as `lapwing-event` and `lapwing-error`. */
export interface Callbacks {
  readonly onEvent?: (event: WidgetEvent) => void
  readonly onError?: (error: Error) => void
}

/** What the element has collected from its attributes and `render`. */
export interface ElementProps {
  readonly baseUrl: string
  readonly publicToken: string
  readonly locale: string
  readonly config: ConfigInput
  readonly presentation: PresentationInput
  readonly callbacks: Callbacks
  readonly strings: Messages
}

/** A started widget. */
export interface WidgetApp {
  update(props: ElementProps): void
  end(): void
}
