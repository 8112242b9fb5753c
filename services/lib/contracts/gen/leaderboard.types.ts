// Generated from openapi/leaderboard.yaml by `make generate`. Do not edit.

export interface paths {
    "/leaderboards/context-id": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return the id of a combination
         * @description 404 `leaderboard.no_laps` if no driver has a lap of it yet.
         */
        get: operations["getContextId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Return a page of a board
         * @description By `offset`, which may be any rank, or by the `cursor` of the previous page. A cursor neither skips nor repeats a driver while the board changes.
         */
        get: operations["getPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/{contextId}/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return the driver's own entry and the entries around it */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report an entry of another driver to the moderators
         * @description Stores at most one report for each lap and account; repeating the call changes nothing. The reported driver does not see it.
         */
        post: operations["reportEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/tracks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the tracks that have a lap, one item per layout */
        get: operations["listTracks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/tracks/{track}/cars": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the cars that have a lap on a track */
        get: operations["listCars"];
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
        /** @description A text that is not a slug is answered as unknown. */
        Slug: string;
        Row: {
            rank: number;
            user_id: string;
            /** Format: uuid */
            lap_id: string;
            display_name: string;
            best_lap_time_ms: number;
            /** @description Gap to the lap of `delta_reference`; null on that row and if there is no such lap (D-9). */
            delta_ms: number | null;
            /** Format: date-time */
            recorded_at: string;
            is_clean: boolean;
            /**
             * Format: date-time
             * @description When the lap began; null or absent if that is not known.
             */
            driven_at?: string | null;
            session_kind?: components["schemas"]["SessionKind"];
            air_temp_c?: components["schemas"]["AirTemp"];
            skies?: components["schemas"]["Skies"];
            /** @description Whether other drivers can use the lap as a reference. False if its driver hides it or its telemetry is not stored. */
            reference_available: boolean;
        };
        Page: {
            /** @constant */
            ok: true;
            context_id: number;
            p1_ms: number | null;
            /** @enum {string} */
            delta_reference: "p1" | "user";
            /** @description The driver's own best time on the board. */
            user_lap_ms: number | null;
            rows: components["schemas"]["Row"][];
            total: number;
            limit: number;
            /** @description Rank of the first row minus one. */
            offset: number;
            next_offset: number | null;
            next_cursor: string | null;
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
    getContextId: {
        parameters: {
            query: {
                sim: components["schemas"]["Slug"];
                track_slug: components["schemas"]["Slug"];
                layout: components["schemas"]["Slug"];
                car_slug: components["schemas"]["Slug"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Its id. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        context_id: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    getPage: {
        parameters: {
            query: {
                sim: components["schemas"]["Slug"];
                track_slug: components["schemas"]["Slug"];
                layout: components["schemas"]["Slug"];
                car_slug: components["schemas"]["Slug"];
                limit?: number;
                offset?: number;
                cursor?: string;
                delta_reference?: "p1" | "user";
                board?: "complete" | "clean";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page"];
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    getMe: {
        parameters: {
            query?: {
                /** @description Number of rows around the driver, including the driver's own. */
                window?: number;
                delta_reference?: "p1" | "user";
                board?: "complete" | "clean";
            };
            header?: never;
            path: {
                contextId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The driver's entry. Without a lap on the board, `me` is null and the window is empty. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        context_id: number;
                        me: components["schemas"]["Row"] | null;
                        window: components["schemas"]["Row"][];
                        total: number;
                    };
                };
            };
            400: components["responses"]["Problem"];
            401: components["responses"]["Problem"];
            404: components["responses"]["Problem"];
            429: components["responses"]["Problem"];
            500: components["responses"]["Problem"];
            503: components["responses"]["Problem"];
        };
    };
    reportEntry: {
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
                     * @description Of a visible entry.
                     */
                    lap_id: string;
                    /**
                     * @description `lap` if the lap cannot be real, `name` if the name is offensive.
                     * @enum {string}
                     */
                    reason: "lap" | "name";
                };
            };
        };
        responses: {
            /** @description The report is stored. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
    listTracks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The tracks in the order of their labels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        tracks: {
                            sim: string;
                            slug: string;
                            layout: string;
                            /** @description Includes the layout's name if it has one. */
                            label: string;
                        }[];
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
    listCars: {
        parameters: {
            query?: {
                /** @description Any layout if absent. */
                layout?: components["schemas"]["Slug"];
                sim?: components["schemas"]["Slug"];
            };
            header?: never;
            path: {
                track: components["schemas"]["Slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The cars in the order of their labels; empty for an unknown track. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        cars: {
                            slug: string;
                            label: string;
                        }[];
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
}
