// Generated from openapi/internal.yaml by `make generate`. Do not edit.

export interface paths {
    "/internal/upload-sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return what ingest needs to know about an upload before it reads the file */
        get: operations["getUploadSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/judged-sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Return which of these uploads have a file that is judged now or waits for it */
        post: operations["findJudgedSessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/standings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Store a driver's standing
         * @description Repeating the call changes nothing. An older version changes nothing.
         */
        put: operations["putStanding"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/bests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return the best laps that a driver's lap is compared with before it enters a board (D-26)
         * @description Read from the database, so that a hidden lap no longer counts.
         */
        get: operations["getBests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/hidden": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return whether a moderator hides a lap or its driver */
        get: operations["getHidden"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return which accounts are verified and when they were created (D-11, D-27)
         * @description Leaves out unknown ids. Returns no address and no name.
         */
        get: operations["findPeople"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return whether a session is active
         * @description The gateway calls it if it cannot read the list of ended sessions in Redis.
         */
        get: operations["getSessionState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/internal/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Apply an event of proto/lapwing/events exactly once
         * @description The token signs the digest of the body instead of the service's name.
         */
        post: operations["receiveEvent"];
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
        Sessions: {
            session_ids: string[];
        };
        Slug: string;
        Label: string;
        /** @description The simulator's own id. */
        SimulatorId: number | null;
        Combination: {
            sim: components["schemas"]["Slug"];
            /** @description The track's own name. */
            track_slug: components["schemas"]["Slug"];
            layout: components["schemas"]["Slug"];
            car_slug: components["schemas"]["Slug"];
            /** @description Another name of the same boards; null if the file has the track's own name. */
            alias_slug: string | null;
            track_label: components["schemas"]["Label"];
            car_label: components["schemas"]["Label"];
            track_id: components["schemas"]["SimulatorId"];
            car_id: components["schemas"]["SimulatorId"];
        };
        StandingLap: {
            /** Format: uuid */
            lap_id: string;
            time_ms: number;
            /** @description UTC, with microseconds. */
            recorded_at: string;
            is_clean: boolean;
            /** @description False if other drivers cannot use the lap as a reference; left out otherwise. */
            reference_available?: boolean;
            /**
             * Format: date-time
             * @description UTC; null or absent if it is not known, as the three others.
             */
            driven_at?: string | null;
            session_kind?: components["schemas"]["SessionKind"];
            air_temp_c?: components["schemas"]["AirTemp"];
            skies?: components["schemas"]["Skies"];
        };
        /** @description A driver's best laps on one combination. */
        Standing: {
            user_id: string;
            combination: components["schemas"]["Combination"];
            version: number;
            complete: components["schemas"]["BoardLap"];
            clean: components["schemas"]["BoardLap"];
        };
        BoardLap: components["schemas"]["StandingLap"] | null;
        /** @description The driver's rank on one board; null if the driver has no lap on it. */
        Rank: {
            /** @description Null if a moderator hides the entry. */
            rank: number | null;
            /** @description The driver's time before this standing. */
            previous_time_ms: number | null;
        } | null;
        BoardBest: {
            /** @description Real drivers on the board, at most 100. */
            drivers: number;
            /** @description The best time of the other drivers; null if there is none. */
            best_time_ms: number | null;
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
        /** @description The request was refused or failed; only the status counts. */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getUploadSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        user_id: string;
                        /** @description Key of the object in the store. */
                        key: string;
                        /** @description Bytes. */
                        size: number;
                        /** @description ETag of the checked object; null before the check. */
                        etag: string | null;
                        /** @enum {string} */
                        state: "open" | "completed" | "removed";
                        completed_at: string | null;
                    };
                };
            };
            404: components["responses"]["Error"];
            default: components["responses"]["Error"];
        };
    };
    findJudgedSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Sessions"];
            };
        };
        responses: {
            /** @description The uploads that must not be removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session_ids: string[];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    putStanding: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Standing"];
            };
        };
        responses: {
            /** @description The ranks after the change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        context_id: number;
                        /** @description False if the stored version is at least as new. */
                        applied: boolean;
                        complete: components["schemas"]["Rank"];
                        clean: components["schemas"]["Rank"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getBests: {
        parameters: {
            query: {
                sim: components["schemas"]["Slug"];
                track_slug: components["schemas"]["Slug"];
                layout: components["schemas"]["Slug"];
                car_slug: components["schemas"]["Slug"];
                /** @description The driver. Their own laps do not count. */
                user_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both boards, without demo drivers and without hidden laps. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        complete: components["schemas"]["BoardBest"];
                        clean: components["schemas"]["BoardBest"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getHidden: {
        parameters: {
            query: {
                lap_id: string;
                user_id: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        hidden: boolean;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    findPeople: {
        parameters: {
            query?: {
                /** @description Only the first 100 are answered. */
                user_id?: string[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The known accounts among them. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        people: {
                            user_id: string;
                            /** Format: date-time */
                            created_at: string;
                            /** @description Has a verified address and is not locked. */
                            is_verified: boolean;
                        }[];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    getSessionState: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The state; an unknown session is not active. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        session_id: string;
                        active: boolean;
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    receiveEvent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-protobuf": string;
            };
        };
        responses: {
            /** @description Applied, now or before. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not an event. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The token does not sign these bytes. */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Error"];
        };
    };
}
