// Generated from openapi/ingest.yaml by `make generate`. Do not edit.

export interface paths {
    "/laps/ingest-best-from-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Judge an uploaded session and put its best laps onto the boards
         * @description Waits up to 55 s for the outcome. Repeating the call does nothing twice and returns the outcome of the first call. If the session failed for a reason outside its file, it is tried again.
         */
        post: operations["ingestBestFromSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/laps/ingests/{ingestId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the progress of the judging of a session */
        get: operations["getIngest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/laps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the driver's own laps with their verdicts, newest first */
        get: operations["listLaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/laps/driver-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the simulator's driver numbers in the files that the account saved
         * @description A number binds to the account that first saves a lap of it (D-11). The answer names no other account.
         */
        get: operations["listDriverNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/laps/driver-numbers/{sim}/{driverNumber}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Undo the binding of a driver number to the account
         * @description Frees the number for other accounts. The laps stay. Possible for seven days after the number was bound, unless a moderator bound it. The answer is the same if the number is not bound to the account.
         */
        delete: operations["undoDriverNumber"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/laps/{lapId}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                lapId: string;
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an own lap from the boards and delete it
         * @description The driver's next best lap replaces it on its boards. Repeating the call returns the same answer.
         */
        delete: operations["deleteLap"];
        options?: never;
        head?: never;
        /** Hide an own lap from references, or show it again */
        patch: operations["updateLap"];
        trace?: never;
    };
    "/laps/{lapId}/reference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return a lap of a board, as series over its distance
         * @description Resampled to even steps of the lap's distance, ends included. As JSON or, if the client prefers it, as packed columns.
         */
        get: operations["getReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tracks/{sim}/{track_slug}/{layout}/corners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return the corners of a track and layout
         * @description A corner keeps its id and its number permanently. Its bounds follow the laps of many drivers by a few metres. Before a driver who can vote has shown the corners, they are provisional: the first such driver replaces them, with other ids. Every name of a track leads to the same corners. A track without laps has none.
         */
        get: operations["getTrackCorners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Saved: {
            /** @constant */
            ok: true;
            /** Format: uuid */
            ingest_id: string;
            /**
             * Format: uuid
             * @description The new entry; of the board of complete laps if both boards have a new entry.
             */
            lap_id: string;
            context_id: number;
            best_lap_time_ms: number;
            /** @description Time of the entry it replaced. */
            previous_best_ms: number | null;
            /** @description Rank of the entry when it was made; null if a moderator hides it. */
            rank: number | null;
            /** @description The boards with the new entry (D-7). */
            boards: ("complete" | "clean")[];
            held_lap_id?: components["schemas"]["HeldLapId"];
            laps_left_out?: components["schemas"]["LapsLeftOut"];
        };
        Skipped: {
            /** @constant */
            ok: true;
            /** Format: uuid */
            ingest_id: string;
            /**
             * @description `held_for_review` if a lap would be a new entry, but a moderator has to release it first (D-26).
             * @enum {string}
             */
            skipped: "no_complete_lap" | "not_faster" | "already_ingested" | "held_for_review";
            context_id?: number;
            held_lap_id?: components["schemas"]["HeldLapId"];
            laps_left_out?: components["schemas"]["LapsLeftOut"];
        };
        /**
         * Format: uuid
         * @description The fastest lap of the file that is held for review and would be a new entry.
         */
        HeldLapId: string;
        /** @description Complete laps of the file that are not stored. Of one file the fastest 2,000 are stored. */
        LapsLeftOut: number;
        Progress: {
            /** @constant */
            ok: true;
            /** Format: uuid */
            ingest_id: string;
            /** @enum {string} */
            state: "waiting" | "running";
            progress: number;
            /** @description Path of `getIngest`. */
            status_url: string;
        };
        DriverNumber: {
            sim: string;
            /** @description The simulator's number of a driver. */
            driver_number: string;
            /**
             * Format: date-time
             * @description When it was bound to this account; null while it is bound to another account.
             */
            bound_at: string | null;
            /** @description Another account has saved files with it too, and no moderator has decided. */
            is_disputed: boolean;
            /** @description Whether `undoDriverNumber` is still possible. */
            can_undo: boolean;
        };
        /**
         * @description Those of `Lap` in the preview, and `ELSEWHERE`, if a moderator says that the track lies elsewhere.
         * @enum {string}
         */
        LapReason: "NO_OPEN" | "NO_CLOSE" | "JUMP" | "NOT_SCORED" | "TIME_MISMATCH" | "OUT" | "IN" | "GAP" | "IMPLAUSIBLE" | "OFF_TRACK" | "INCIDENT" | "CAUTION" | "GRID" | "JOKER" | "UNVERIFIABLE" | "ELSEWHERE";
        /** @description Simulator, track, layout and car of a board (D-4). */
        Combination: {
            sim: string;
            track_slug: string;
            layout: string;
            car_slug: string;
            track_label: string;
            car_label: string;
        };
        MyLap: {
            /** Format: uuid */
            lap_id: string;
            /** Format: uuid */
            ingest_id: string;
            /** @description The simulator's own number. */
            lap: number;
            /**
             * Format: date-time
             * @description When the server judged it.
             */
            recorded_at: string;
            /**
             * Format: date-time
             * @description When the lap began, by the date of its file; null if that is not known.
             */
            driven_at: string | null;
            session_kind?: components["schemas"]["SessionKind"];
            air_temp_c?: components["schemas"]["AirTemp"];
            skies?: components["schemas"]["Skies"];
            time_ms: number | null;
            /** @description m:ss.mmm */
            time_fmt: string | null;
            /** @enum {string|null} */
            time_source: "official" | "interpolated" | null;
            is_completed: boolean;
            is_clean: boolean;
            reasons: components["schemas"]["LapReason"][];
            combination: components["schemas"]["Combination"];
            /** @description The boards on which this lap is the driver's entry. */
            on_board: ("complete" | "clean")[];
            /**
             * @description `held` until a moderator decides (D-26). Other drivers do not see a held or refused lap. Null if the lap needed no review.
             * @enum {string|null}
             */
            review: "held" | "released" | "refused" | null;
            reference_allowed: boolean;
            /** @description Whether its series are stored. */
            has_reference: boolean;
        };
        Samples: (number | null)[];
        Reference: {
            meta: {
                /** Format: uuid */
                lapId: string;
                pointCount: number;
                userId: string;
                lapTimeMs: number;
                /** @enum {string} */
                timeSource: "official" | "interpolated";
                trackLengthM: number | null;
                combination: components["schemas"]["Combination"];
                /** @description Absent if the lap was stored before its incidents were. */
                incidents?: {
                    /** @enum {string} */
                    kind: "off_track" | "contact" | "loss_of_control" | "unknown";
                    /** @description Share of the lap. */
                    fromPct: number;
                    toPct: number;
                }[];
            };
            series: {
                pct: components["schemas"]["Samples"];
                /** @description Seconds since the line */
                time: components["schemas"]["Samples"];
                throttle?: components["schemas"]["Samples"];
                brake?: components["schemas"]["Samples"];
                /** @description Steering wheel angle, rad. */
                steering?: components["schemas"]["Samples"];
                gear?: components["schemas"]["Samples"];
                rpm?: components["schemas"]["Samples"];
                /** @description m/s (D-24) */
                speed?: components["schemas"]["Samples"];
                lat?: components["schemas"]["Samples"];
                lon?: components["schemas"]["Samples"];
                alt?: components["schemas"]["Samples"];
            };
        };
        Slug: string;
        Share: number;
        TrackCorners: {
            /** @constant */
            ok: true;
            sim: string;
            /** @description The track's own name if the call used another one. */
            track_slug: string;
            layout: string;
            /** @description Metres of a lap. */
            length_m: number | null;
            corners: components["schemas"]["TrackCorner"][];
        };
        TrackCorner: {
            /** @description Unique within this track; never reused for another corner. */
            id: number;
            /** @description `1` is the first after the line, `3a` was found later than `3` and `4`, `1-2` is an end of an oval. */
            number: string;
            /** @description What drivers call it; null if it has no name or it is unknown. */
            name: string | null;
            /** @enum {string} */
            kind: "turn" | "oval_end";
            /** @enum {string} */
            direction: "left" | "right";
            /** @description Where cars begin to slow for it or to turn. */
            start_pct: components["schemas"]["Share"];
            apex_pct: components["schemas"]["Share"];
            /** @description Where the road is straight again. */
            end_pct: components["schemas"]["Share"];
            /** @description Metres from the line, as the two others. */
            start_m: number | null;
            apex_m: number | null;
            end_m: number | null;
        };
        /** @description Describes an error, for a program (`code`) and for the person (`detail`). */
        Problem: {
            /** @description Identifies the kind of problem; `about:blank` if the status is enough. */
            type: string;
            /** @description Short; the same for every occurrence of the code. */
            title: string;
            status: number;
            /** @description A sentence for the person. Never contains a stack trace, a query or a path. */
            detail: string;
            /** @description Stable; programs and tests rely on it. */
            code: string;
            /** @description The logs of every service that handled the request contain the same id. */
            request_id: string;
        };
        /**
         * @description The kind of simulator session; null if its file does not state a known one, or the lap is older than this field.
         * @enum {string|null}
         */
        SessionKind: "testing" | "practice" | "qualifying" | "warmup" | "race" | "time_trial" | null;
        /** @description Air temperature at the start, °C (D-24); null if it is not known. */
        AirTemp: number | null;
        /** @description 0 Clear, 1 Partly Cloudy, 2 Mostly Cloudy, 3 Overcast; null if it is not known. */
        Skies: number | null;
    };
    responses: {
        /** @description The reason why the request failed. */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    ingestBestFromSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uuid
                     * @description Of a completed upload.
                     */
                    sessionId: string;
                    key: string;
                };
            };
        };
        responses: {
            /** @description Judged. No board got a new entry (D-10), or a lap is held for review (D-26). */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skipped"];
                };
            };
            /** @description A board has a new or better entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saved"];
                };
            };
            /** @description Not finished within 55 s; the work continues. */
            202: {
                headers: {
                    /** @description The address of the outcome. */
                    Location: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Progress"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    getIngest: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                ingestId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Done. No board got a new entry, or a lap is held for review. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Skipped"];
                };
            };
            /** @description Done. A board has a new or better entry. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Saved"];
                };
            };
            /** @description Not finished. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Progress"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            422: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    listLaps: {
        parameters: {
            query?: {
                limit?: number;
                /** @description Only laps with this state of review, such as held laps. */
                review?: "held" | "released" | "refused";
                /** @description Only laps whose series are stored; they can be opened again. */
                has_reference?: true;
                /** @description The `next_cursor` of the previous answer. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of laps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        laps: components["schemas"]["MyLap"][];
                        next_cursor: string | null;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    listDriverNumbers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account's numbers, the oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        driver_numbers: components["schemas"]["DriverNumber"][];
                    };
                };
            };
            401: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    undoDriverNumber: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sim: string;
                driverNumber: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The number is not bound to the account any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            409: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    deleteLap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                lapId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lap is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    updateLap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                lapId: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reference_allowed: boolean;
                };
            };
        };
        responses: {
            /** @description The changed lap. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MyLap"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            413: components["responses"]["Problem"];
            415: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    getReference: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                lapId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lap. */
            200: {
                headers: {
                    /** @description Strong tag of the answer's bytes. */
                    ETag: string;
                    /** @description `Accept, Accept-Encoding` */
                    Vary?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reference"];
                    "application/x-protobuf": string;
                };
            };
            /** @description The client's copy is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    getTrackCorners: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                sim: components["schemas"]["Slug"];
                track_slug: components["schemas"]["Slug"];
                layout: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The corners, in driving order. */
            200: {
                headers: {
                    /** @description Strong tag. */
                    ETag: string;
                    /** @description `public, max-age=300` */
                    "Cache-Control"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackCorners"];
                };
            };
            /** @description The client's copy is current. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
}
