const reasons = [
  { title: 'Compare every lap', text: 'Lap time, racing line and performance, side by side.' },
  { title: 'Worldwide leaderboards', text: 'Track your progress against every driver.' },
  { title: 'Unlimited uploads', text: 'As many .ibt files as you drive.' },
] as const

/** The side panel of the auth dialog; on narrow screens there is room for the dialog alone. */
export function WhyJoin() {
  return (
    <aside className="hidden border-l border-line bg-bg/60 p-7 lg:block">
      <h2 className="text-base font-semibold">Why Join Lapwing?</h2>
      <ul className="mt-4 space-y-2.5">
        {reasons.map(({ title, text }) => (
          <li key={title} className="rounded-control border border-line bg-card px-4 py-3">
            <p className="font-semibold">{title}</p>
            <p className="mt-0.5 text-muted">{text}</p>
          </li>
        ))}
      </ul>
    </aside>
  )
}
