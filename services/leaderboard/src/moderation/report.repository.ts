import { sql } from 'kysely'
import type { Db, Trx } from '../database.ts'

interface Report {
  readonly lapId: string
  readonly reporterId: string
  /** The driver of the lap. */
  readonly userId: string
  readonly reason: 'lap' | 'name'
  /** Digest of the reporter's network; null if it is not known. */
  readonly network: Buffer | null
}

/** Finds the driver of a visible entry, and whether the reporter has reported it. Null without such an entry. */
export async function findReported(
  trx: Trx,
  { lapId, reporterId }: Pick<Report, 'lapId' | 'reporterId'>,
): Promise<{ readonly userId: string; readonly isKnown: boolean } | null> {
  const { rows } = await sql<{ user_id: string; is_known: boolean }>`
    select driver.user_id, exists (select from lap_report
      where lap_report.lap_id = ${lapId} and reporter_id = ${reporterId}) as is_known
    from entry join driver on driver.id = entry.driver_id
    where entry.lap_id = ${lapId} and entry.is_counted limit 1`.execute(trx)
  const row = rows[0]
  return row === undefined ? null : { userId: row.user_id, isKnown: row.is_known }
}

/** Counts the reports of an account in the last seconds, also closed ones. */
export async function countReports(trx: Trx, reporterId: string, withinS: number): Promise<number> {
  const { rows } = await sql<{ reports: number }>`select count(*)::int as reports from lap_report
    where reporter_id = ${reporterId} and created_at > now() - ${withinS} * interval '1 second'`.execute(trx)
  return rows[0]!.reports
}

export async function storeReport(trx: Trx, report: Report): Promise<void> {
  const { lapId, reporterId, userId, reason, network } = report
  await sql`insert into lap_report (lap_id, reporter_id, user_id, reason, network)
    values (${lapId}, ${reporterId}, ${userId}, ${reason}, ${network}) on conflict do nothing`.execute(trx)
}

/** A reported lap, as a moderator sees it. */
export interface ReportedLap {
  readonly lap_id: string
  readonly user_id: string
  readonly display_name: string | null
  /** Accounts that reported the lap, and the driver's name. */
  readonly lap: number
  readonly name: number
  /** Networks of these accounts. Accounts without a known network count as one. */
  readonly networks: number
  readonly first_at: Date
  /** The account that reported it first. */
  readonly first_by: string
}

/**
 * Lists laps with open reports, those that most networks reported first. A driver has one row at first, and so have the
 * reports of a single network: neither can fill the list, however many accounts report. A lap that has left the boards
 * needs no decision; the name of its driver does.
 */
export async function listReports(db: Db, limit: number): Promise<readonly ReportedLap[]> {
  const { rows } = await sql<ReportedLap>`
    select lap_id, user_id, display_name, lap, name, networks, first_at, first_by from (
      select report.*, driver.display_name,
        row_number() over (partition by report.user_id
          order by networks desc, report.lap + report.name desc, report.lap_id) as nth,
        case when networks > 1 then 1 else row_number() over (partition by networks, any_network
          order by report.lap + report.name desc, first_at, report.lap_id) end as nth_of_network
      from (
        select lap_id, user_id, count(*) filter (where reason = 'lap')::int as lap,
          count(*) filter (where reason = 'name')::int as name, min(created_at) as first_at,
          (count(distinct network) + bool_or(network is null)::int)::int as networks,
          (array_agg(network order by created_at, reporter_id))[1] as any_network,
          (array_agg(reporter_id order by created_at, reporter_id))[1] as first_by
        from lap_report
        where closed_at is null and (reason = 'name'
          or exists (select from entry where entry.lap_id = lap_report.lap_id and entry.is_counted))
        group by lap_id, user_id
      ) report left join driver on driver.user_id = report.user_id
    ) listed
    order by nth, nth_of_network, networks desc, lap + name desc, first_at, lap_id limit ${limit}`.execute(db)
  return rows
}

/**
 * Closes the reports of a lap after a moderator's decision. Returns their number. They stay stored, so that the same
 * accounts cannot report the lap again, and still count against their limit.
 */
export async function closeReports(db: Db, lapId: string): Promise<number> {
  const { numAffectedRows } = await sql`update lap_report set closed_at = now()
    where lap_id = ${lapId} and closed_at is null`.execute(db)
  return Number(numAffectedRows ?? 0)
}

/**
 * Closes all open reports of an account, or of all accounts in the networks from which it reported. Returns their
 * number.
 */
export async function closeReportsBy(
  db: Db,
  reporterId: string,
  { wholeNetwork = false }: { readonly wholeNetwork?: boolean } = {},
): Promise<number> {
  const { numAffectedRows } = await sql`update lap_report set closed_at = now()
    where closed_at is null and (reporter_id = ${reporterId} or (${wholeNetwork} and network in
      (select network from lap_report where reporter_id = ${reporterId})))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
