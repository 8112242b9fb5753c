/** Our logo: a lapwing in a turn, its crest streaming. The same drawing as `public/favicon.svg`. */
export function LapwingMark({ size }: { readonly size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0 text-accent">
      <path fill="currentColor" d={LAPWING_PATH} />
    </svg>
  )
}

const LAPWING_PATH =
  'M29.5 8.5 24.6 6.9C22.9 5.2 20.5 4.9 18.6 6 C16.5 4 13.4 3 9.6 3.2 c3 .9 5.3 2.3 7 4.3 C14.9 9.7 12.6 10.9 9.5 11.6 6.6 12.2 4.2 14 2.4 17.3 c3.2-2.1 6.2-2.7 9.2-2 C9.7 18.6 7 21.4 3.4 23.7 c4.4-.6 8-2 10.9-4.2 -.9 3.3-2.7 6.3-5.6 9 C15.6 26.6 20.3 22 22.2 15.4 23 13.6 23.9 11.6 25 9.7 Z'
