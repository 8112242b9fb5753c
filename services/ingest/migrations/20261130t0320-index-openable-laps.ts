/** For the list of laps that open again. */
export const concurrentIndex = {
  name: 'lap_openable',
  on: 'lap (user_id, recorded_at, id) where series_key is not null and deleted_at is null',
}

export async function up(): Promise<void> {}
