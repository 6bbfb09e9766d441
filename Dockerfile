# Copyright (c) 2026 ns-3 collab authors
#
# SPDX-License-Identifier: GPL-2.0-only
#
# UNTESTED: nobody has built this image so far. Debian 12 with the project built in /collab:
#
#     docker build -t ns3-collab .
#     docker run --rm -v "$PWD/runs:/collab/runs" ns3-collab demo

FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git python3
COPY . /collab
WORKDIR /collab
RUN ./collab build
ENTRYPOINT ["./collab"]
CMD ["demo"]
