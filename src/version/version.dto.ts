import { ApiProperty } from '@nestjs/swagger';

/** Build of the service that responds, and the API versions that it supports. */
export class ServerVersion {
  @ApiProperty({ type: String, example: 'workflow-service' })
  readonly name: string;

  @ApiProperty({ type: String, example: '1.0.0' })
  readonly version: string;

  @ApiProperty({
    type: String,
    description: 'Hash of the Git commit from which the server was built, or `unknown`.',
    example: '9fceb02d0ae598e95dc970b74767f19372d61af8',
  })
  readonly commit: string;

  @ApiProperty({ type: String, format: 'date-time', example: '2026-11-21T09:30:00.000Z' })
  readonly built_at: string;

  @ApiProperty({ type: [String], example: ['v1'] })
  readonly api_versions: readonly string[];

  @ApiProperty({ type: [String], example: ['v0'] })
  readonly deprecated_api_versions: readonly string[];

  @ApiProperty({ type: String, example: '24.21.0' })
  readonly node_version: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    description: 'Time at which this process started.',
    example: '2026-11-21T09:31:00.000Z',
  })
  readonly started_at: string;
}
